import { build, type InlineConfig } from 'vite'

/** Builds what a single entry needs as one classic script. */
export async function soleScript(
  root: string,
  entry: string,
  { plugins, define }: Pick<InlineConfig, 'plugins' | 'define'> = {},
): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ...(plugins && { plugins }),
    ...(define && { define }),
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: `${root}/${entry}`,
        output: { format: 'iife' },
        treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
      },
    },
  })
  const output = Array.isArray(built) ? built[0]?.output : 'output' in built ? built.output : undefined
  const chunk = output?.find((file) => file.type === 'chunk')
  if (chunk === undefined) throw new Error('Nothing was built')
  return chunk.code
}
