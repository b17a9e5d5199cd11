/** The name of the cache of displayed pictures. They may be private, so a logout deletes it. */
export const pictureCache = 'pictures'
