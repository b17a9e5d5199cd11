/** Returns the start of a text, of at most so many characters and an ellipsis. */
export function excerptOf(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text
}
