import type { build } from 'vite'

/** The one script that a build of a single entry makes. */
export function soleScript(built: Awaited<ReturnType<typeof build>>): string {
  const output = Array.isArray(built) ? built[0]?.output : 'output' in built ? built.output : undefined
  const chunk = output?.find((file) => file.type === 'chunk')
  if (chunk === undefined) throw new Error('Nothing was built')
  return chunk.code
}
