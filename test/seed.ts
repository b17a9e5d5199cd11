/** The seed of random tests, so that runs are reproducible. */
export const seed = 20261121
