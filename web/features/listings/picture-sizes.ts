/** How wide the picture of a listing is, as in `<img sizes>`: on a card, and on the listing's own screen. */
export const pictureSizes = {
  card: '(min-width: 1120px) 230px, (min-width: 600px) 30vw, calc(50vw - 28px)',
  listing: '(min-width: 1120px) 528px, (min-width: 1024px) calc(100vw - 592px), 100vw',
} as const

/** How many cards a phone's first screen shows; their pictures come before all others. */
export const cardsInFirstScreen = 4
