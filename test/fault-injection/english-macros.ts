interface Forms {
  readonly one: string
  readonly other: string
}

/** Returns the English text. */
export function t(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return String.raw({ raw: texts }, ...values)
}

/** Returns the English form for a number. */
export function plural(count: number, { one, other }: Forms): string {
  return (count === 1 ? one : other).replaceAll('#', String(count))
}
