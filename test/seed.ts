/** What tests by chance begin with, so that every run tries the same. Another one now and then finds other things. */
export const seed = 20261121
