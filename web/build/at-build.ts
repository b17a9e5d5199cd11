import { createServer } from 'vite'

/** Has a module of the client write something while it is built, such as a page that reads without a script. */
export async function atBuild<Module>(
  root: string,
  module: string,
  write: (module: Module) => string | Promise<string>,
): Promise<string> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    build: { assetsInlineLimit: 0 },
  })
  try {
    return await write((await server.ssrLoadModule(module)) as Module)
  } finally {
    await server.close()
  }
}
