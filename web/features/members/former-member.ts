import { t } from '@lingui/core/macro'

/** Returns the name of a member who has left. */
export const formerMember = () => t`former member`
