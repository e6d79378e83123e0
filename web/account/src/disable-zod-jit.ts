import { config } from 'zod'

// Zod probes whether it may compile code at run time, which violates the content security policy and would hide other
// violations. Runs before the contract creates its schemas: imported first, and built into the same chunk as zod. The
// server keeps the compiler, which validates large batches much faster.
config({ jitless: true })
