/** The name of a browser that its user does not change. */
export const usualLabel = 'Browser'
