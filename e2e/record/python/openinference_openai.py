"""OpenInference's instrumentation of OpenAI, with a session and a user."""

from conversation import MODEL_URL, SESSION, USER, ask_openai, tracer_provider
from openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
with using_attributes(session_id=SESSION, user_id=USER, tags=["weather"]):
    ask_openai(client)
    client.embeddings.create(model="text-embedding-3-small", input="rain in Paris")
provider.shutdown()
