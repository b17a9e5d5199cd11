/** Where the worker keeps pictures that were seen. They may be private: the cache goes when the member does. */
export const pictureCache = 'pictures'
