/** Returns a text, or its first `maxLength` characters with an ellipsis. */
export function excerptOf(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text
}
