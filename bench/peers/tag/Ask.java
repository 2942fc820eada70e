package evaluation.optimisation.ntbea;

import evaluation.optimisation.NTBEAParameters;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Random;

/** Runs TAG's NTBEA over numbered values: prints each point, reads its fitness. Arguments: seed, evaluations, values by dimension. */
public class Ask implements SearchSpace, SolutionEvaluator {
    final int[] sizes;
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    int evaluations;

    Ask(int[] sizes) {
        this.sizes = sizes;
    }

    public int nDims() {
        return sizes.length;
    }

    public int nValues(int i) {
        return sizes[i];
    }

    public String name(int i) {
        return "" + i;
    }

    public Object value(int dim, int i) {
        return i;
    }

    public void reset() {
        evaluations = 0;
    }

    public double evaluate(int[] solution) {
        evaluations++;
        try {
            System.out.println(Arrays.toString(solution));
            return Double.parseDouble(in.readLine());
        } catch (java.io.IOException problem) {
            throw new java.io.UncheckedIOException(problem);
        }
    }

    public SearchSpace searchSpace() {
        return this;
    }

    public int nEvals() {
        return evaluations;
    }

    public static void main(String[] given) {
        int[] numbers = Arrays.stream(given).mapToInt(Integer::parseInt).toArray();
        Ask asked = new Ask(Arrays.copyOfRange(numbers, 2, numbers.length));
        NTBEAParameters parameters = new NTBEAParameters();
        parameters.searchSpace = asked;
        NTupleSystem model = new NTupleSystem(parameters);
        NTupleBanditEA search = new NTupleBanditEA(model, parameters);
        search.rnd = new Random(numbers[0]);
        SearchSpaceUtil.random = new Random(numbers[0]);
        search.runTrial(asked, numbers[1]);
        System.out.println("best " + Arrays.toString(model.getBestSampled()));
    }
}
