import { createContext } from 'react'

/** Whether the text of the block is still being written. */
export const OpenBlock = createContext(false)
