/*
 * The limits of the chat product. Part of `limits`.
 */

export const chatLimits = {
  chatTextLength: { value: 100_000, unit: 'characters', of: 'text of POST /chat/scan' },
} as const
