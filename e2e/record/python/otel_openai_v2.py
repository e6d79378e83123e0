"""OpenTelemetry's older instrumentation of OpenAI, which uses the conventions of 1.30: content is sent as logs."""

from conversation import MODEL_URL, ask_openai, tracer_provider
from openai import OpenAI
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

provider = tracer_provider()
OpenAIInstrumentor().instrument()
ask_openai(OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0))
provider.shutdown()
