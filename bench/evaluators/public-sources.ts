import type { PublicSource } from './labeled-set.ts'

/*
 * Public data that evaluators are measured on.
 */

export const functionCalls: PublicSource = {
  name: 'Berkeley Function Calling Leaderboard v4',
  license: 'Apache-2.0',
  repository: 'ShishirPatil/gorilla',
  commit: '6ea57973c7a6097fd7c5915698c54c17c5b1b6c8',
  sha256: 'd602e5de23d49f342e6abefa70197caa87693ea9446fad87a2fd2fed3343eb00',
}
export const presidio: PublicSource = {
  name: 'presidio-research, synth_dataset_v2',
  license: 'MIT',
  repository: 'microsoft/presidio-research',
  commit: '7622dec1e5f7d25dc60b57c28c39f4c4af197018',
  sha256: 'ec08a771ba8135314cafb60752b2295212222ba3a4cd75d73811839c699e0012',
}
export const hateCheck: PublicSource = {
  name: 'HateCheck',
  license: 'CC-BY-4.0',
  repository: 'paul-rottger/hatecheck-data',
  commit: 'd84302298ceeb34f4b0dde2d8a1f4932c2caa612',
  sha256: 'ecf0dc1e93fccc90b6f880e632b19e635c0f0a68b3157915a9e20b6938f121cf',
}
export const moderation: PublicSource = {
  name: 'OpenAI moderation evaluation set',
  license: 'MIT',
  repository: 'openai/moderation-api-release',
  commit: 'f4ab51b5edd3bfbcb349a56324274235b674e0e4',
  sha256: 'ef3f7de86ee394fe337b0a566ba4b9c7db058f3caa8d6a4a0006138b663ab9a8',
}
export const guard: PublicSource = {
  name: 'PIGuard: valid, NotInject and WildGuard',
  license: 'MIT',
  repository: 'leolee99/PIGuard',
  commit: '1b5751e88bf7475acbedfc8eda795ce060307c84',
  sha256: '90be00b1903db5787e73b88434ea2445852fffeb115fefe7bf5b90c2cb78034f',
}
export const bipia: PublicSource = {
  ...guard,
  name: 'BIPIA attacks and NotInject, as in PIGuard',
  sha256: 'aabad331241effc8e1e79a902a57308df45c2941f898523d80c677a06ed280f3',
}
export const multilingual: PublicSource = {
  name: 'Multilingual HateCheck',
  license: 'CC-BY-4.0',
  repository: 'rewire-online/multilingual-hatecheck',
  commit: 'a03f2caf2023a402d85064bda243e46d280408f0',
  sha256: '701ee7744e2144fdd7d07fd91267b749a1cb2a853efa98c3749e3508a675ab37',
}
export const schemaSuite: PublicSource = {
  name: 'JSON Schema Test Suite, draft 7',
  license: 'MIT',
  repository: 'json-schema-org/JSON-Schema-Test-Suite',
  commit: '44401e0c046704b476ec9d2e2fccdaee618f259d',
  sha256: '3d17ddb9e8507c49d1394c3d1b3959285bfa653c6f3d0683c44636da869ba608',
}
