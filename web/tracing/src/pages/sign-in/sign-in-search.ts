import { type SignInProblem, signInProblems } from '@assay/contract/sign-in-problems.ts'
import { z } from 'zod'
import { searchSchema } from '../../search-schema.ts'
import { isNextPath } from './next-path.ts'

export const signInProblem = z.enum(Object.keys(signInProblems) as SignInProblem[])

/** The path to open afterwards. */
const next = z.string().refine(isNextPath)

export const signInSearch = searchSchema({
  next,
  /** Why single sign-on failed. */
  problem: signInProblem,
})

export const signUpSearch = searchSchema({ next })
