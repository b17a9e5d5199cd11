/** Returns a name as a title. */
export function capitalized(name: string): string {
  const [first = ''] = name
  return first.toLocaleUpperCase() + name.slice(first.length)
}
