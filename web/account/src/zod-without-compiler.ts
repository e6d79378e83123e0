import { config, z } from 'zod'

// Zod probes whether it may compile code at run time, which violates the content security policy and would hide other
// violations. The build has all imports of zod come here. The server keeps the compiler, which validates large batches
// much faster.
config({ jitless: true })

export { z }
