import { tanstackRouter } from '@tanstack/router-plugin/vite'

/** The routes' files, each with a script of its own. One of the builds that read them writes the tree of them. */
export function routes(web: string, { writeTree }: { writeTree: boolean }) {
  return tanstackRouter({
    target: 'react',
    routesDirectory: `${web}/routes`,
    generatedRouteTree: `${web}/route-tree.gen.ts`,
    enableRouteGeneration: writeTree,
    autoCodeSplitting: true,
    // A loader comes with its screen: contract, client and query cache stay out of what every visit loads.
    codeSplittingOptions: {
      defaultBehavior: [['loader', 'component', 'pendingComponent', 'errorComponent', 'notFoundComponent']],
    },
    quoteStyle: 'single',
    semicolons: false,
  })
}
