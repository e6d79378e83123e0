"""OpenTelemetry's instrumentation of Google's GenAI client."""

from conversation import GEMINI, QUESTION, ROOT_URL, SYSTEM, tracer_provider, weather_in
from google import genai
from google.genai import types
from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor

provider = tracer_provider()
GoogleGenAiSdkInstrumentor().instrument()


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=ROOT_URL))
config = types.GenerateContentConfig(system_instruction=SYSTEM, tools=[get_weather])
client.models.generate_content(model=GEMINI, contents=QUESTION, config=config)
provider.shutdown()
