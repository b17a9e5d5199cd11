/**
 * The values of a statement. Each stands in the text as a query of its own, which hides from the planner what it is: where it
 * sees how long an array is, or how common a word, it plans anew at every call, and that takes longer than the page.
 */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown, type: string): string {
    return `(select $${this.list.push(value)}::${type})`
  }
}
