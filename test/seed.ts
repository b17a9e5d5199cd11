/** The seed of all random tests, so that runs are reproducible. */
export const seed = 20261121
