import { validate as isRic } from 'stdnum/lib/cjs/cn/ric.js'
import { validate as isHkid } from 'stdnum/lib/cjs/hk/hkid.js'
import { validate as isIsraeliId } from 'stdnum/lib/cjs/il/idnr.js'
import { validate as isAadhaar } from 'stdnum/lib/cjs/in/aadhaar.js'
import { validate as isPan } from 'stdnum/lib/cjs/in/pan.js'
import { validate as isRrn } from 'stdnum/lib/cjs/kr/rrn.js'
import { validate as isNric } from 'stdnum/lib/cjs/my/nric.js'
import { validate as isNationalId } from 'stdnum/lib/cjs/tw/natid.js'
import { validate as isSouthAfricanId } from 'stdnum/lib/cjs/za/idnr.js'
import {
  hasKoreanDigit,
  isAustralianMedicareNumber,
  isAustralianTfn,
  isIndonesianIdentityNumber,
  isJapaneseIndividualNumber,
  isNewZealandIrd,
  isSingaporeIdentifier,
  isThaiId,
  valid,
} from '../check-digits.ts'
import { identifier, identifierNear, type ShapeRule } from '../rule.ts'

/*
 * Identifiers of people in Asia, Australia, New Zealand, Israel and South Africa.
 */

const identityCard = ['identity card', 'identity number', 'id card', 'id number', 'national id']

export const asiaPacificIdentifiers: readonly ShapeRule[] = [
  identifier(
    'cn_resident_id',
    /[1-8]\d{5}(?:18|19|20)\d{9}[\dXx]/,
    (value) => isRic(value.toUpperCase()).isValid,
  ),
  identifier('kr_rrn', /\d{2}(?:0[1-9]|1[0-2])[0-3]\d-\d{7}/, isKoreanRrn),
  identifierNear(
    'kr_rrn',
    ['주민등록', 'resident registration'],
    /\d{2}(?:0[1-9]|1[0-2])[0-3]\d ?\d{7}/,
    isKoreanRrn,
  ),
  identifier('sg_nric', /[STFGM]\d{7}[A-Z]/i, isSingaporeIdentifier),
  identifierNear(
    'in_aadhaar',
    ['aadhaar', 'aadhar', 'adhaar', 'uidai', 'आधार'],
    /[2-9]\d{3}([- ]?)\d{4}\1\d{4}/,
    valid(isAadhaar),
  ),
  identifierNear(
    'in_pan',
    ['PAN', 'pan card', 'pan number', 'pan no', 'permanent account'],
    /[A-Z]{5}\d{4}[A-Z]/i,
    (value) => valid(isPan)(value.toUpperCase()),
  ),
  identifierNear(
    'in_voter_id',
    ['voter', 'epic no', 'EPIC', 'election card'],
    /[A-Z]{3}\d{7}/i,
    () => true,
  ),
  identifierNear('au_tfn', ['tfn', 'tax file'], /\d{3}([- ]?)\d{3}\1\d{2,3}/, isAustralianTfn),
  identifierNear(
    'au_medicare',
    ['medicare'],
    /[2-6]\d{3}([- ]?)\d{5}\1\d(?:[- /]?\d)?/,
    isAustralianMedicareNumber,
  ),
  identifierNear(
    'nz_ird',
    ['ird', 'inland revenue'],
    /\d{2,3}([- ]?)\d{3}\1\d{3}/,
    isNewZealandIrd,
  ),
  identifierNear(
    'th_id',
    ['บัตรประชาชน', 'ประจำตัวประชาชน', 'thai id', 'thai national', 'thai identity', 'thailand'],
    /\d([- ]?)\d{4}\1\d{5}\1\d{2}\1\d/,
    isThaiId,
  ),
  identifierNear(
    'my_nric',
    ['nric', 'mykad', 'ic number', 'kad pengenalan', 'IC no'],
    /\d{6}-?\d{2}-?\d{4}/,
    valid(isNric),
  ),
  identifierNear(
    'id_nik',
    ['NIK', 'nik:', 'ktp', 'kependudukan'],
    /[1-9]\d{15}/,
    isIndonesianIdentityNumber,
  ),
  identifierNear(
    'il_id',
    ['teudat zehut', 'תעודת זהות', 'ת.ז', 'ת"ז', 'israeli id', 'israel id'],
    /\d{7,8}-?\d/,
    valid(isIsraeliId),
  ),
  identifierNear(
    'hk_hkid',
    ['hkid', 'hong kong id', 'hong kong identity', '身份證', '身份证', ...identityCard],
    /[A-Z]{1,2}\d{6}\(?[0-9A]\)?/i,
    (value) => isHkid(value.toUpperCase()).isValid,
  ),
  identifierNear(
    'tw_national_id',
    ['身分證', '身份證', 'taiwan', 'national id', 'arc number'],
    /[A-Z][12]\d{8}/i,
    (value) => isNationalId(value.toUpperCase()).isValid,
  ),
  identifierNear(
    'jp_my_number',
    ['マイナンバー', '個人番号', 'my number', 'mynumber', 'individual number'],
    /\d{4}([- ]?)\d{4}\1\d{4}/,
    isJapaneseIndividualNumber,
  ),
  identifierNear(
    'za_id',
    [
      'south african',
      'sa id',
      'rsa id',
      'id number',
      'identity number',
      'id no',
      'identity document',
    ],
    /\d{2}(?:0[1-9]|1[0-2])[0-3]\d ?\d{4} ?\d{3}/,
    valid(isSouthAfricanId),
  ),
]

function isKoreanRrn(value: string): boolean {
  return hasKoreanDigit(value) && valid(isRrn)(value)
}
