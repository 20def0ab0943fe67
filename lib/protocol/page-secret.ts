// Browsers send a cookie to every port of a host, so the cookie of a browser's session is worth nothing alone. A page that signs
// someone in gets a second secret, keeps it in the storage of its origin, and sends it with each request.

/** A socket has it in `auth.page_secret` instead: browsers send no headers with a socket. */
export const PAGE_SECRET_HEADER = "x-parley-page-secret";

/** Where pages keep it in localStorage. */
export const PAGE_SECRET_PLACE = "parley-page-secret";

/** Where the service worker finds a copy: the name of a cache, and the address of its only entry (public/sw.js). */
export const PAGE_SECRET_CACHE = "parley-page-secret";
export const PAGE_SECRET_ENTRY = "/page-secret";
