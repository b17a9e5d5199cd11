/** What the lexicon's files hold: words, lists of words, and maps. */
export type Plain = string | Plain[] | { [key: string]: Plain }

/**
 * Reads the part of YAML that the lexicon is written in: block maps, flow lists and flow maps of one-line scalars, comments.
 * A full reader takes half a second for half a megabyte, this one some milliseconds; a test holds that both read the same.
 * Throws an error that names the line for anything else.
 */
export function readPlainYaml(text: string): { [key: string]: Plain } {
  return new PlainYaml(text).document()
}

class PlainYaml {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  document(): { [key: string]: Plain } {
    this.skip()
    const read = this.at < this.text.length ? this.block(this.column()) : {}
    if (this.at < this.text.length) this.fail()
    return read
  }

  /** The map whose keys begin in this column; ends before the first line that begins left of it. */
  private block(column: number): { [key: string]: Plain } {
    const map: { [key: string]: Plain } = {}
    while (this.at < this.text.length && this.column() === column) {
      const key = this.key()
      this.skip()
      map[key] = this.value(column)
      this.skip()
    }
    if (this.at < this.text.length && this.column() > column) this.fail()
    return map
  }

  private value(column: number): Plain {
    const char = this.text[this.at]
    if (char === '[' || char === '{') return this.flow()
    const lineStart = this.text.lastIndexOf('\n', this.at - 1) + 1
    const alone = this.text.slice(lineStart, this.at).trim() === ''
    if (!alone) return this.scalar(/\s#|\n|$/g)
    if (this.column() <= column) this.fail()
    return this.block(this.column())
  }

  private flow(): Plain {
    const char = this.text[this.at]
    if (char === '[') {
      const list: Plain[] = []
      this.at += 1
      for (this.skip(); this.text[this.at] !== ']'; this.skip()) {
        list.push(this.flow())
        this.separator(']')
      }
      this.at += 1
      return list
    }
    if (char === '{') {
      const map: { [key: string]: Plain } = {}
      this.at += 1
      for (this.skip(); this.text[this.at] !== '}'; this.skip()) {
        const key = this.key()
        this.skip()
        map[key] = this.flow()
        this.separator('}')
      }
      this.at += 1
      return map
    }
    return this.scalar(/[,\]}]|\s#|$/g)
  }

  private separator(end: string): void {
    this.skip()
    if (this.text[this.at] === ',') this.at += 1
    else if (this.text[this.at] !== end) this.fail()
  }

  private key(): string {
    const key = this.scalar(/:(?=\s)|\n|$/g)
    if (this.text[this.at] !== ':' || key === '') this.fail()
    this.at += 1
    return key
  }

  private scalar(end: RegExp): string {
    const quote = this.text[this.at]
    if (quote === "'" || quote === '"') {
      const close = this.text.indexOf(quote, this.at + 1)
      if (close < 0) this.fail()
      const quoted = this.text.slice(this.at + 1, close)
      this.at = close + 1
      return quoted
    }
    end.lastIndex = this.at
    const found = end.exec(this.text)
    const stop = found ? found.index : this.text.length
    const plain = this.text.slice(this.at, stop).trim().replace(/\s+/g, ' ')
    if (plain === '') this.fail()
    this.at = stop
    return plain
  }

  private skip(): void {
    const space = /(?:\s+|#[^\n]*)*/y
    space.lastIndex = this.at
    space.exec(this.text)
    this.at = space.lastIndex
  }

  private column(): number {
    return this.at - (this.text.lastIndexOf('\n', this.at - 1) + 1)
  }

  private fail(): never {
    const line = this.text.slice(0, this.at).split('\n').length
    throw new Error(`Line ${line} is not as the lexicon's README.md says`)
  }
}
