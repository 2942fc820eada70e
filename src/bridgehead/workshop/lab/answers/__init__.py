"""The twelve questions of a designer, answered from the rows of a run."""
