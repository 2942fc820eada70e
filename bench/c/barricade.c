/* Barricade for four by the preset `classic`, written by hand: what a compiled game can be measured against.

   It makes its own table of ways from the squares and their neighbours, and plays at random with the same SplitMix64 numbers,
   the same order of legal actions and the same way to choose as bridgehead/core/kernels.py. Boards of at most 124 squares. */

#include <stdint.h>
#include <string.h>

enum { SQUARES = 124, SEATS = 4, PAWNS = 5, DIE = 6, MOST_WAYS = 8192, MOST_LEGAL = 1024 };
enum { ROLL_OFF, ROLL, MOVE, PLACE, OVER };

typedef uint64_t u64;
typedef struct { u64 lo, hi; } Bits;                            /* a set of places */
typedef struct { Bits between; uint16_t landing; } Way;
typedef struct { uint16_t first, end; } Span;

typedef struct {
    Bits barricades, pawns[SEATS];                              /* a home with pawns in it is a place too */
    int8_t owner[SQUARES + SEATS];                              /* seat of the pawn on a square, or -1; of a home */
    uint8_t at_home[SEATS];
    int8_t rolled[SEATS];
    int32_t turns;
    int8_t seat, phase, die;
} State;

static int squares, final_square;
static int neighbours[SQUARES][4], entries[SEATS];
static Bits start, may_hold;
static Span spans[SQUARES + SEATS][DIE + 1];
static Way ways[MOST_WAYS];
static int way_count;

static inline Bits bit(int place) {
    Bits b = {place < 64 ? 1ull << place : 0, place < 64 ? 0 : 1ull << (place - 64)};
    return b;
}
static inline int holds(Bits b, int place) { return (place < 64 ? b.lo >> place : b.hi >> (place - 64)) & 1; }
static inline void flip(Bits *b, int place) { ((u64 *)b)[place >> 6] ^= 1ull << (place & 63); }

/* The table of ways */

static void walk(int here, Bits visited, Bits between, int left) {
    if (left == 0) {
        ways[way_count].between = between;
        ways[way_count++].landing = here;
        return;
    }
    Bits on = bit(here);
    Bits further = {between.lo | on.lo, between.hi | on.hi};
    visited.lo |= on.lo, visited.hi |= on.hi;
    for (int k = 0; k < 4; k++)
        if (neighbours[here][k] >= 0 && !holds(visited, neighbours[here][k]))
            walk(neighbours[here][k], visited, further, left - 1);
}

static void sort_ways(int first) {
    for (int i = first + 1; i < way_count; i++) {
        Way w = ways[i];
        int j = i;
        for (; j > first && ways[j - 1].landing > w.landing; j--) ways[j] = ways[j - 1];
        ways[j] = w;
    }
}

/* The board: neighbours (4 a square, -1 for none), entries, and lists of squares that end with -1. */
void prepare(int count, int final, const int *near, const int *entry, const int *barricades, const int *open) {
    const Bits none = {0, 0};
    squares = count, final_square = final, way_count = 0, start = may_hold = none;
    memcpy(neighbours, near, sizeof(int) * 4 * count);
    memcpy(entries, entry, sizeof entries);
    for (; *barricades >= 0; barricades++) flip(&start, *barricades);
    for (; *open >= 0; open++) flip(&may_hold, *open);
    for (int origin = 0; origin < squares + SEATS; origin++)
        for (int roll = 1; roll <= DIE; roll++) {
            spans[origin][roll].first = way_count;
            if (origin >= squares) walk(entries[origin - squares], none, none, roll - 1);
            else
                for (int k = 0; k < 4; k++)
                    if (neighbours[origin][k] >= 0) walk(neighbours[origin][k], bit(origin), none, roll - 1);
            sort_ways(spans[origin][roll].first);
            spans[origin][roll].end = way_count;
        }
}

/* The game */

static void setup(State *s) {
    memset(s, 0, sizeof *s);
    memset(s->owner, -1, sizeof s->owner);
    s->barricades = start;
    for (int seat = 0; seat < SEATS; seat++) {
        s->owner[squares + seat] = seat;
        s->at_home[seat] = PAWNS;
        flip(&s->pawns[seat], squares + seat);
    }
}

static inline int moves_from(const State *s, int origin, uint16_t *out, int count) {
    const Bits barricades = s->barricades, own = s->pawns[s->seat];
    const Span span = spans[origin][s->die];
    int last = -1;
    for (const Way *w = ways + span.first; w < ways + span.end; w++) {
        int landing = w->landing;
        int free = ((w->between.lo & barricades.lo) | (w->between.hi & barricades.hi)) == 0;
        int allowed = free & !holds(own, landing) & (landing != last);
        out[count] = origin << 8 | landing;
        count += allowed;
        last = allowed ? landing : last;
    }
    return count;
}

static int legal_moves(const State *s, uint16_t *out) {
    const Bits own = s->pawns[s->seat];
    int count = 0;
    for (u64 b = own.lo; b; b &= b - 1) count = moves_from(s, __builtin_ctzll(b), out, count);
    for (u64 b = own.hi; b; b &= b - 1) count = moves_from(s, 64 + __builtin_ctzll(b), out, count);
    return count;
}

static int legal_places(const State *s, uint16_t *out) {
    Bits open = {may_hold.lo & ~s->barricades.lo, may_hold.hi & ~s->barricades.hi};
    int count = 0;
    for (int seat = 0; seat < SEATS; seat++) open.lo &= ~s->pawns[seat].lo, open.hi &= ~s->pawns[seat].hi;
    for (; open.lo; open.lo &= open.lo - 1) out[count++] = __builtin_ctzll(open.lo);
    for (; open.hi; open.hi &= open.hi - 1) out[count++] = 64 + __builtin_ctzll(open.hi);
    return count;
}

static inline void end_turn(State *s) {
    s->turns++;
    s->die = 0;
    s->phase = ROLL;
    s->seat = (s->seat + 1) & (SEATS - 1);
}

static inline void move(State *s, int origin, int landing) {
    const int seat = s->seat, other = s->owner[landing];
    if (other >= 0) {
        flip(&s->pawns[other], landing);
        if (s->at_home[other]++ == 0) flip(&s->pawns[other], squares + other);
    }
    if (origin < squares) {
        s->owner[origin] = -1;
        flip(&s->pawns[seat], origin);
    } else if (--s->at_home[seat] == 0) flip(&s->pawns[seat], origin);
    s->owner[landing] = seat;
    flip(&s->pawns[seat], landing);
    const int taken = holds(s->barricades, landing);
    if (taken) flip(&s->barricades, landing);
    if (landing == final_square) s->phase = OVER;
    else if (taken) s->phase = PLACE;
    else end_turn(s);
}

static void roll_off(State *s, int number) {
    int best = 0, count = 0, leader = -1;
    s->rolled[s->seat] = number;
    for (int seat = 0; seat < SEATS; seat++) {
        if (s->rolled[seat] == 0) {
            s->seat = seat;
            return;
        }
        if (s->rolled[seat] > best) best = s->rolled[seat], count = 0;
        count += s->rolled[seat] == best;
    }
    for (int seat = 0; seat < SEATS; seat++) {
        int stays = s->rolled[seat] == best;
        s->rolled[seat] = stays ? 0 : -1;
        if (stays && leader < 0) leader = seat;
    }
    s->seat = leader;
    if (count == 1) {
        memset(s->rolled, 0, sizeof s->rolled);
        s->phase = ROLL;
    }
}

/* Random play */

static inline u64 next_random(u64 *rng) {
    u64 z = *rng += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}
static inline int below(u64 *rng, int n) { return (next_random(rng) >> 32) * (u64)n >> 32; }

static void play(State *s, u64 *rng, int64_t *decisions, int64_t *chances) {
    uint16_t out[MOST_LEGAL];
    int count;
    setup(s);
    for (;;) {
        switch (s->phase) {
        case ROLL_OFF:
            roll_off(s, 1 + below(rng, DIE));
            ++*chances;
            break;
        case ROLL:
            s->die = 1 + below(rng, DIE);
            s->phase = MOVE;
            ++*chances;
            break;
        case MOVE:
            count = legal_moves(s, out);
            ++*decisions;
            if (count == 0) {
                below(rng, 1);
                end_turn(s);
                break;
            }
            count = out[below(rng, count)];
            move(s, count >> 8, count & 255);
            break;
        case PLACE:
            count = legal_places(s, out);
            ++*decisions;
            flip(&s->barricades, out[below(rng, count)]);
            end_turn(s);
            break;
        default:
            return;
        }
    }
}

/* Decisions of `games` games one after the other; chances are added to *chances. */
int64_t play_games(u64 seed, int games, int64_t *chances) {
    State s;
    int64_t decisions = 0;
    while (games-- > 0) play(&s, &seed, &decisions, chances);
    return decisions;
}

/* One game: the winner, its length, and its last position as a byte a square (0 empty, 1 barricade, 2 + seat), then homes. */
int play_one(u64 seed, int64_t *decisions, int64_t *chances, int32_t *turns, uint8_t *position) {
    State s;
    *decisions = *chances = 0;
    play(&s, &seed, decisions, chances);
    for (int square = 0; square < squares; square++)
        position[square] = holds(s.barricades, square) ? 1 : s.owner[square] < 0 ? 0 : 2 + s.owner[square];
    memcpy(position + squares, s.at_home, SEATS);
    *turns = s.turns;
    return s.seat;
}
