import { config } from 'zod'

// Zod probes whether it may compile code at run time, which would be reported as a violation of the content
// security policy. Imported first, because the contract creates its schemas when its modules load.
config({ jitless: true })
