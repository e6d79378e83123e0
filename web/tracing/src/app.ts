import { startApp } from '@assay/account/start-app.tsx'
import { forgetPerson } from './api/forget-person.ts'
import { createAppRouter } from './router.ts'

startApp({
  name: 'Assay',
  createRouter: createAppRouter,
  forgetPerson,
  signInPages: ['/sign-in', '/sign-up'],
})
