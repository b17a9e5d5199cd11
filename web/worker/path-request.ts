/** The service worker asks a page with it for the path that it shows. The page answers at the port that comes with it. */
export const pathRequest = 'Which path?'
