/** The width of a listing's picture, as in `<img sizes>`, on a card and on the listing's screen. */
export const pictureSizes = {
  card: '(min-width: 1120px) 230px, (min-width: 600px) 30vw, calc(50vw - 28px)',
  listing: '(min-width: 1120px) 528px, (min-width: 1024px) calc(100vw - 592px), 100vw',
} as const

/** The number of cards on a phone's first screen, whose pictures load first. */
export const cardsInFirstScreen = 4
