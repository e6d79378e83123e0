import { config } from 'zod'

// Zod would probe whether it may compile code from text, and the content-security policy would report the try.
// Imported first, because the contract's schemas are made when their modules load.
config({ jitless: true })
