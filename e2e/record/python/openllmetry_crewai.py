"""A CrewAI crew, instrumented by OpenLLMetry."""

import os

os.environ |= {
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_DISABLE_TRACKING": "true",
    "CREWAI_TRACING_ENABLED": "false",
}

from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, tracer_provider, weather_in  # noqa: E402
from crewai import LLM, Agent, Crew, Task  # noqa: E402
from crewai.tools import tool  # noqa: E402
from opentelemetry.instrumentation.crewai import CrewAIInstrumentor  # noqa: E402
from opentelemetry.instrumentation.openai import OpenAIInstrumentor  # noqa: E402

provider = tracer_provider()
CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)


@tool("get_weather")
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


llm = LLM(model=f"openai/{MODEL}", base_url=MODEL_URL, api_key="none")
agent = Agent(role="weather", goal=SYSTEM, backstory="Knows the sky.", tools=[get_weather], llm=llm)
task = Task(description=QUESTION, expected_output="A sentence.", agent=agent)
Crew(agents=[agent], tasks=[task]).kickoff()
provider.shutdown()
