import { z } from 'zod'
import { searchSchema } from '../../search-schema.ts'
import { signInProblem } from '../../sign-in/sign-in-problem.ts'
import { isNextPath } from './next-path.ts'

/** The path to open afterwards. */
const next = z.string().refine(isNextPath)

export const signInSearch = searchSchema({
  next,
  /** Why single sign-on failed. */
  problem: signInProblem,
})

export const signUpSearch = searchSchema({ next })
