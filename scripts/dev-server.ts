// The server of `npm run dev`: a node whose web client comes from Vite's development server.
import { runSite } from '#server/run-site.ts'
import { openViteClient } from './vite-client.ts'

/** The port of Vite's socket, the same after a restart: open pages wait there for the server and then reload. */
const socketPort = Number(process.argv[2])

await runSite(() => openViteClient(socketPort))
