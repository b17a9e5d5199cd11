/** Returns what stands for a message without text in a list of conversations. */
export function photoCount(count: number): string {
  return count === 1 ? 'Photo' : `${count} photos`
}
