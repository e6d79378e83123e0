/*
 * The limits of signing in, by password and through identity providers. Part of `limits`.
 */

export const signInLimits = {
  ssoDomains: {
    value: 20,
    unit: 'domains',
    of: 'domains of a single sign-on configuration (at least 1)',
  },
  ssoDiscoveryPerMinute: {
    value: 30,
    unit: 'requests per minute',
    of: 'POST /auth/sso-discovery from one IPv4 address or IPv6 /64',
  },
  ssoDocumentBytes: {
    value: 256 * 1024,
    unit: 'bytes',
    of: 'a response of an OpenID provider, such as its discovery document or keys',
  },
  ssoDocumentContainers: { value: 5000, unit: 'objects and arrays', of: 'the same' },
  ssoDocumentDepth: { value: 32, unit: 'levels', of: 'nesting of the same' },
  ssoUrlLength: {
    value: 2048,
    unit: 'characters',
    of: 'each URL in the discovery document of an OpenID provider',
  },
  ssoStarts: {
    value: 300,
    unit: 'sign-ins',
    of: 'sign-ins through an identity provider that one IPv4 address or IPv6 /64 starts in a burst',
  },
  ssoStartSeconds: {
    value: 2,
    unit: 'seconds',
    of: 'time after which a network may start one more of those',
  },
  signInAttempts: {
    value: 5,
    unit: 'attempts',
    of: 'failed sign-ins for one e-mail address before the next attempt has to wait',
  },
  signInAttemptExpirySeconds: {
    value: 180,
    unit: 'seconds',
    of: 'time after which one failed sign-in for an e-mail address no longer counts',
  },
  networkSignInAttempts: {
    value: 30,
    unit: 'attempts',
    of: 'failed sign-ins and sign-ups, wrong set-up tokens, password reset requests and invalid password links, from one IPv4 address or IPv6 /64 before the next attempt has to wait',
  },
  networkSignInAttemptExpirySeconds: {
    value: 20,
    unit: 'seconds',
    of: 'time after which one attempt from a network no longer counts',
  },
  signInWaitSecondsMax: {
    value: 60,
    unit: 'seconds',
    of: 'longest wait before the next sign-in attempt; it starts at 1 second and doubles with each attempt',
  },
  lookups: {
    value: 300,
    unit: 'requests',
    of: 'set-up, reads of invites and redeemed session transfers, each, from one IPv4 address or IPv6 /64 in a burst',
  },
  lookupsPerSecond: {
    value: 10,
    unit: 'requests per second',
    of: 'after a burst, the same',
  },
  tokenLookups: {
    value: 100,
    unit: 'requests',
    of: 'reads of one invite, and attempts to redeem one session transfer code, in a burst',
  },
  tokenLookupSeconds: {
    value: 1,
    unit: 'second',
    of: 'time after which one more of those is allowed',
  },
  signUps: {
    value: 100,
    unit: 'accounts',
    of: 'accounts that one IPv4 address or IPv6 /64 creates in a burst without invites',
  },
  signUpSeconds: {
    value: 60,
    unit: 'seconds',
    of: 'time after which a network may create one more of those',
  },
  accountChanges: {
    value: 100,
    unit: 'changes',
    of: 'changes that a user makes to their own account in a burst: session transfers, new names and passwords',
  },
  accountChangeSeconds: {
    value: 10,
    unit: 'seconds',
    of: 'time after which a user may make one more of those',
  },
  userSignIns: {
    value: 1000,
    unit: 'sign-ins',
    of: 'sign-ins of a user with a password in a burst',
  },
  userSignInSeconds: {
    value: 1,
    unit: 'second',
    of: 'time after which a user may sign in once more',
  },
  refusedSignInsPerMinute: {
    value: 30,
    unit: 'entries per minute',
    of: 'refused sign-ins in the audit log of an organization, and of the service; the others are recorded as counts by account and reason',
  },
  samlPosts: {
    value: 300,
    unit: 'SAML responses',
    of: 'responses that one IPv4 address or IPv6 /64 posts in a burst',
  },
  samlPostSeconds: {
    value: 2,
    unit: 'seconds',
    of: 'time after which a network may post one more of those',
  },
  samlResponsesOfSignIn: {
    value: 5,
    unit: 'SAML responses',
    of: 'responses that are verified for one sign-in; after that it has to be started again',
  },
  samlResponseBytes: { value: 256 * 1024, unit: 'bytes', of: 'a SAML response' },
  samlNodes: { value: 1200, unit: 'elements and comments', of: 'a SAML response' },
  samlDepth: { value: 50, unit: 'levels', of: 'nesting of a SAML response' },
  samlAttributes: {
    value: 4000,
    unit: 'XML attributes',
    of: 'a SAML response, with namespace declarations',
  },
  samlAttributesPerElement: {
    value: 200,
    unit: 'XML attributes',
    of: 'an element of a SAML response, with namespace declarations',
  },
  samlNamespaces: {
    value: 200,
    unit: 'namespaces',
    of: 'different namespace declarations of a SAML response',
  },
  samlNamespaceLength: {
    value: 512,
    unit: 'characters',
    of: 'a namespace URI of a SAML response',
  },
  samlSeconds: { value: 5, unit: 'seconds', of: 'verifying a SAML response' },
  samlResponses: {
    value: 64,
    unit: 'SAML responses',
    of: 'responses that are verified or wait for it at once',
  },
  samlResponsesOfOrganization: {
    value: 32,
    unit: 'SAML responses',
    of: 'the same, of one organization',
  },
  samlResponsesOfNetwork: {
    value: 8,
    unit: 'SAML responses',
    of: 'the same, from one IPv4 address or IPv6 /64',
  },
  samlPrefixes: { value: 50, unit: 'prefixes', of: 'a PrefixList of a SAML response' },
} as const
