/** The base URL of the API: always the origin of the page. */
export const base = '/api/v1'
