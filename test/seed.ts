/** The seed of random tests, so that every run is the same. */
export const seed = 20261121
