/* 40 Bridges by the standard rules, at random: what the same game costs in C written for speed.
 *
 * Written from the rules alone: block setup, straight jumps, three sides capture, a move into a surround that captures
 * nothing loses the piece, blocked players pass, draws by the third occurrence and by 100 plies without a removal.
 * Fields have the numbers (9y + x) / 2 of their half-grid places, and moves are in the order of their start and end, so
 * that the same random numbers make the same games as Bridgehead's. Needs BMI2 (pdep, pext).
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

enum { FIELDS = 41, LIMIT = 100, STRIDE = 8, ROW = 56 };
enum { RUNNING, CORNER, CAPTURED, REPEATED, QUIET, BLOCKED };

typedef struct {
    u64 pieces[2];
    u64 key;
    u64 seen[2][ROW]; /* keys of the positions since the last removal, even and odd plies apart, then zeros */
    int seat, quiet, turns, reason, winner;
} Game;

typedef struct {
    u64 pieces[2];
    int64_t decisions, turns, quiet, reason, winner;
} Result;

static const u64 ALL = ((u64)1 << FIELDS) - 1;
static const int GOAL[2] = {40, 0};
/* Neighbours of field f are f - 9, -5, -4, -1, +1, +4, +5, +9: as bits of (pieces << 9) >> f, and what a jump over
 * them reaches, as bits of a word that is shifted up by f and down by 18. */
static const u64 AROUND = 1 << 0 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 10 | 1 << 13 | 1 << 14 | 1 << 18;
static const u64 BEYOND = (u64)1 << 0 | 1 << 8 | 1 << 10 | 1 << 16 | 1 << 20 | 1 << 26 | 1 << 28 | (u64)1 << 36;

static u64 step[FIELDS], touch[FIELDS], landing[FIELDS], keys[2][FIELDS], opening[2];
static u64 step_east, step_west, touch_east, touch_west; /* fields with such a neighbour on that side */

static inline u64 bit(int field) { return (u64)1 << field; }
static inline int lowest(u64 word) { return __builtin_ctzll(word); }
static inline int count(u64 word) { return __builtin_popcountll(word); }

static inline u64 next_random(u64 *rng)
{
    u64 z = *rng += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static inline int on_board(int x, int y) { return x >= 0 && x <= 8 && y >= 0 && y <= 8; }
static inline int number(int x, int y) { return (9 * y + x) / 2; }

void prepare(void)
{
    static const int way[8][2] = {{2, 0}, {-2, 0}, {0, 2}, {0, -2}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    u64 rng = 40;
    for (int y = 0; y <= 8; y++)
        for (int x = y % 2; x <= 8; x += 2) {
            int f = number(x, y);
            step[f] = touch[f] = landing[f] = 0;
            for (int i = 0; i < 8; i++) {
                int nx = x + way[i][0], ny = y + way[i][1], beyond_x = nx + way[i][0], beyond_y = ny + way[i][1];
                if (!on_board(nx, ny))
                    continue;
                touch[f] |= bit(number(nx, ny));
                if (i < 4)
                    step[f] |= bit(number(nx, ny));
                if (i == 0)
                    step_east |= bit(f);
                if (i == 1)
                    step_west |= bit(f);
                if (i == 4 || i == 6)
                    touch_east |= bit(f);
                if (i == 5 || i == 7)
                    touch_west |= bit(f);
                if (on_board(beyond_x, beyond_y))
                    landing[f] |= bit(number(beyond_x, beyond_y));
            }
            keys[0][f] = next_random(&rng);
            keys[1][f] = next_random(&rng);
        }
    opening[0] = opening[1] = 0;
    for (int y = 0; y <= 3; y++)
        for (int x = y % 2; x <= 3; x += 2) {
            opening[0] |= bit(number(x, y));
            opening[1] |= bit(40 - number(x, y));
        }
}

static inline u64 destinations(u64 own, u64 empty, int f)
{
    u64 leaps = _pdep_u64(_pext_u64(own << 9 >> f, AROUND), BEYOND);
    return (step[f] | (leaps << f >> 18 & landing[f])) & empty;
}

static inline int can_move(const Game *g, int seat)
{
    u64 own = g->pieces[seat], empty = ALL & ~(own | g->pieces[!seat]);
    if (((own & step_east) << 1 | (own & step_west) >> 1 | own << 9 | own >> 9) & empty)
        return 1;
    for (u64 rest = own; rest; rest &= rest - 1)
        if (destinations(own, empty, lowest(rest)))
            return 1;
    return 0;
}

/* A move drawn by lot: the number of moves first, then the one that was drawn. -1 to pass. */
static inline int draw_move(const Game *g, u64 *rng, int *end)
{
    u64 own = g->pieces[g->seat], empty = ALL & ~(own | g->pieces[!g->seat]), ends[8];
    int upto[8], starts[8], pieces = 0, moves = 0;
    for (u64 rest = own; rest; rest &= rest - 1) {
        int f = lowest(rest);
        ends[pieces] = destinations(own, empty, f);
        starts[pieces] = f;
        upto[pieces] = moves += count(ends[pieces]);
        pieces++;
    }
    u64 high = next_random(rng) >> 32;
    if (!moves)
        return -1;
    int drawn = (int)(high * (u64)moves >> 32), piece = 0;
    for (int i = 0; i < pieces; i++)
        piece += upto[i] <= drawn;
    drawn -= piece ? upto[piece - 1] : 0;
    *end = lowest(_pdep_u64(bit(drawn), ends[piece]));
    return starts[piece];
}

/* Fields with three or more sides closed: eight one-bit numbers a field, added for all fields at once. */
static inline u64 closed(u64 attackers)
{
    u64 se = attackers & step_east, sw = attackers & step_west, te = attackers & touch_east, tw = attackers & touch_west;
    u64 a = se << 1, b = sw >> 1, c = attackers << 9, d = attackers >> 9, e = te << 5, f = te >> 4, g = tw << 4, h = tw >> 5;
    u64 one_1 = a ^ b ^ c, two_1 = (a & b) | (c & (a ^ b));
    u64 one_2 = d ^ e ^ f, two_2 = (d & e) | (f & (d ^ e));
    u64 one_3 = g ^ h, two_3 = g & h;
    u64 one = one_1 ^ one_2 ^ one_3, two_4 = (one_1 & one_2) | (one_3 & (one_1 ^ one_2));
    u64 lower = two_1 | two_2, upper = two_3 | two_4;
    return (two_1 & two_2) | (two_3 & two_4) | (lower & upper) | ((lower | upper) & one);
}

static inline void finish(Game *g, int reason, int winner)
{
    g->reason = reason;
    g->winner = winner;
}

static inline void take_off(Game *g, int seat, u64 fields)
{
    g->pieces[seat] &= ~fields;
    for (; fields; fields &= fields - 1)
        g->key ^= keys[seat][lowest(fields)];
    memset(g->seen, 0, sizeof g->seen);
    g->quiet = 0;
}

static inline int occurred_twice(const Game *g)
{
    const u64 *row = g->seen[g->quiet & 1];
    for (int i = 0, times = 0; i < g->quiet >> 1; i += STRIDE) {
        for (int j = 0; j < STRIDE; j++)
            times += row[i + j] == g->key;
        if (times >= 2)
            return 1;
    }
    return 0;
}

static inline void end_if_blocked(Game *g)
{
    if (!can_move(g, g->seat) && !can_move(g, !g->seat))
        finish(g, BLOCKED, -1);
}

static inline void end_turn(Game *g)
{
    g->turns++;
    g->seat = !g->seat;
    if (!g->pieces[0])
        finish(g, CAPTURED, 1);
    else if (!g->pieces[1])
        finish(g, CAPTURED, 0);
    else if (occurred_twice(g))
        finish(g, REPEATED, -1);
    else if (g->quiet >= LIMIT)
        finish(g, QUIET, -1);
    else {
        g->seen[g->quiet & 1][g->quiet >> 1] = g->key;
        end_if_blocked(g);
    }
}

static inline void play(Game *g, int start, int end)
{
    int seat = g->seat;
    if (start < 0) {
        g->quiet++;
        end_turn(g);
        return;
    }
    u64 own = g->pieces[seat] ^= bit(start) ^ bit(end), enemy = g->pieces[!seat];
    g->key ^= keys[seat][start] ^ keys[seat][end];
    if (end == GOAL[seat]) {
        g->quiet++;
        g->turns++;
        g->seat = !seat;
        finish(g, CORNER, seat);
        return;
    }
    u64 victims = closed(own) & enemy;
    if (victims)
        take_off(g, !seat, victims);
    else if (count(touch[end] & enemy) >= 3)
        take_off(g, seat, bit(end));
    else
        g->quiet++;
    end_turn(g);
}

static inline void set_up(Game *g)
{
    memset(g, 0, sizeof *g);
    for (int seat = 0; seat < 2; seat++) {
        g->pieces[seat] = opening[seat];
        for (u64 rest = opening[seat]; rest; rest &= rest - 1)
            g->key ^= keys[seat][lowest(rest)];
    }
    g->winner = -1;
    g->seen[0][0] = g->key;
    end_if_blocked(g);
}

static inline int64_t play_on(Game *g, u64 *rng)
{
    int64_t decisions = 0;
    for (int end = 0; !g->reason; decisions++) {
        int start = draw_move(g, rng, &end);
        play(g, start, end);
    }
    return decisions;
}

int64_t random_games(u64 seed, int64_t games)
{
    Game g;
    int64_t decisions = 0;
    while (games--) {
        set_up(&g);
        decisions += play_on(&g, &seed);
    }
    return decisions;
}

void play_games(const u64 *seeds, int64_t games, Result *results)
{
    for (int64_t i = 0; i < games; i++) {
        Game g;
        u64 rng = seeds[i];
        set_up(&g);
        Result *r = &results[i];
        r->decisions = play_on(&g, &rng);
        r->pieces[0] = g.pieces[0], r->pieces[1] = g.pieces[1];
        r->turns = g.turns, r->quiet = g.quiet, r->reason = g.reason, r->winner = g.winner;
    }
}
