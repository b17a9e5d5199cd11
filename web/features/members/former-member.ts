/** The name of a member who has left. */
export const formerMember = 'former member'
