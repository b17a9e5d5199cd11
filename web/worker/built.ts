/** The files of a build. */
export interface Built {
  /** The app's first script: its name differs from that of every other version. */
  readonly entry: string
  /** Every hashed file, as a path. */
  readonly assets: readonly string[]
}

/** Written in by web/worker/vite-plugin.ts. */
declare const __BUILT__: Built

export const built = __BUILT__
