package evaluation.optimisation;

import evaluation.optimisation.ntbea.SearchSpace;

/** The parameters that TAG's NTBEA reads, with TAG's defaults. TAG's own class of this name needs all of TAG. */
public class NTBEAParameters {
    public int neighbourhoodSize = 50;
    public int evaluationsPerTrial = 1;
    public double kExplore = 1.0;
    public double noiseMeanType = 1.0;
    public boolean useTwoTuples = true;
    public boolean useThreeTuples = false;
    public boolean useNTuples = false;
    public boolean simpleRegret = false;
    public SearchSpace searchSpace;
}
