/** Where the service answers: always the origin the page came from. */
export const base = '/api/v1'
