/** The files of a build of the client. */
export interface Built {
  /** The path of the app's first script. Its name differs in every version. */
  readonly entry: string
  /** The paths of all hashed files. */
  readonly assets: readonly string[]
  /** The paths of the catalogs by language. */
  readonly catalogs: Readonly<Record<string, readonly string[]>>
}

/** Defined by web/worker/vite-plugin.ts at build time. */
declare const __BUILT__: Built

export const built = __BUILT__
