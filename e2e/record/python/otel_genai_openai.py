"""OpenTelemetry's current instrumentation of OpenAI: the current conventions, content on the spans."""

from conversation import MODEL_URL, ask_openai, tracer_provider
from openai import OpenAI
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

provider = tracer_provider()
OpenAIInstrumentor().instrument()
client = OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
ask_openai(client)
client.embeddings.create(model="text-embedding-3-small", input="rain in Paris")
provider.shutdown()
