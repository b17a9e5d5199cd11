import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { categories } from '#contract/constants.ts'
import { preferencesQuery } from '#web/features/members/preferences-query.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { NearbyWantsScreen } from '#web/features/wants/nearby-wants-screen.tsx'
import { parseNearbySearch } from '#web/features/wants/nearby-wants-search.ts'
import { cropSeasonsQuery, nearbyWantsQuery } from '#web/features/wants/want-queries.ts'

export const Route = createFileRoute('/_members/wanted')({
  validateSearch: parseNearbySearch,
  loaderDeps: ({ search: { category } }) => ({ category }),
  loader: ({ context: { queryClient }, deps: { category } }) => {
    void queryClient.prefetchQuery(profileQuery)
    void queryClient.prefetchQuery(preferencesQuery)
    // A link that is only pointed at loads, too. The server refuses who has no known place.
    if (queryClient.getQueryData(profileQuery.queryKey)?.location_known === false) return
    void queryClient.prefetchQuery(cropSeasonsQuery(category && categories[category]))
    void queryClient.prefetchQuery(nearbyWantsQuery(category && categories[category]))
  },
  staticData: { title: msg`Wanted near you` },
  component: NearbyWantsScreen,
})
