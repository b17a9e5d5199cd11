/** Creates the format of the site's prices: "$4" or "$4.50", with cents only if there are some. */
export function moneyFormat(tag: string, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  })
}
